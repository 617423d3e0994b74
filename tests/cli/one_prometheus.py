"""A Prometheus server that holds what it is given, and nothing else."""
import contextlib
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def metrics_text(series):
    """OpenMetrics of {(name, labels): [(seconds, value)]}; labels as written in braces."""
    lines, described = [], set()
    for (name, labels), points in sorted(series.items()):
        if name not in described:
            kind = "counter" if name.endswith("_total") else "gauge"
            lines.append(f"# TYPE {name.removesuffix('_total')} {kind}")
            described.add(name)
        lines += [f"{name}{{{labels}}} {value} {at}" for at, value in points]
    return "\n".join([*lines, "# EOF", ""])


def wait_until_ready(address, server, context=None):
    for _ in range(600):
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            with urllib.request.urlopen(f"{address}/-/ready", timeout=5, context=context):
                return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError("Prometheus does not become ready")


@contextlib.contextmanager
def one_prometheus(series, *flags, scheme="http", context=None):
    """Its address, when it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "metrics.txt").write_text(metrics_text(series))
        (folder / "prometheus.yml").write_text("global: {}\n")
        subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics",
                        folder / "metrics.txt", folder / "data"], check=True, capture_output=True)
        server = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml",
             f"--storage.tsdb.path={folder}/data", "--storage.tsdb.retention.time=100y",
             f"--web.listen-address={listen}", *flags],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until_ready(f"{scheme}://{listen}", server, context)
            yield f"{scheme}://{listen}"
        finally:
            server.kill()
            server.wait()
