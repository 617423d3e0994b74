"""An etcd of one member, with nothing in it."""
import contextlib
import socket
import subprocess
import tempfile


@contextlib.contextmanager
def one_etcd(*flags, scheme="http"):
    """Its endpoint. It may not answer yet; a store waits until it does."""
    with contextlib.ExitStack() as free:
        sockets = [free.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        client, peer = (f"127.0.0.1:{each.getsockname()[1]}" for each in sockets)
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["etcd", f"--data-dir={folder}/etcd", f"--listen-client-urls={scheme}://{client}",
             f"--advertise-client-urls={scheme}://{client}", f"--listen-peer-urls=http://{peer}",
             f"--initial-advertise-peer-urls=http://{peer}",
             f"--initial-cluster=default=http://{peer}", "--log-level=error", "--unsafe-no-fsync",
             *flags], stderr=subprocess.DEVNULL)
        try:
            yield client
        finally:
            server.kill()
            server.wait()
