"""Certificates for a test: of an authority of ours, and of a stranger's."""
import subprocess


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def make_authority(folder, name):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2",
            "-subj", f"/CN={name}")


def make_certificate(folder, name, authority):
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    (folder / "extensions").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.pem", "-CAkey",
            f"{authority}.key", "-CAcreateserial", "-days", "2", "-extfile", "extensions",
            "-out", f"{name}.pem")


def make_all(folder):
    for authority in ("ours", "theirs"):
        make_authority(folder, authority)
    for name, authority in (("server", "ours"), ("client", "ours"), ("stranger", "theirs")):
        make_certificate(folder, name, authority)
