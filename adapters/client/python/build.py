"""Builds the wheel with the standard library alone, the same bytes each time: `python3 build.py dist`, or by pip (PEP 517)."""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

here = pathlib.Path(__file__).parent
# Read without tomllib, so that pip of an older Python says which one is needed.
project = dict(re.findall(r'^([\w-]+) = "(.*)"$', (here / "pyproject.toml").read_text(), re.M))


def version() -> str:
    """That of the program which wrote the client, as PEP 440 has it: `0.3.0-dev` is `0.3.0.dev0`."""
    text = (here / "market_signals" / "generated.py").read_text()
    return re.sub(r"-dev$", ".dev0", re.search(r'^VERSION = "([^"]+)"$', text, re.M)[1])


def build_wheel(directory, config_settings=None, metadata_directory=None):
    name = f"{project['name'].replace('-', '_')}-{version()}"
    info = f"{name}.dist-info"
    files = {
        f"market_signals/{path.name}": path.read_bytes()
        for path in sorted((here / "market_signals").iterdir())
        if path.suffix == ".py" or path.name == "py.typed"
    }
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version()}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
        (here / "README.md").read_text(),
    ]
    files[f"{info}/METADATA"] = "\n".join(metadata).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: build.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
        for path, data in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return wheel


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    print(target / build_wheel(target))
