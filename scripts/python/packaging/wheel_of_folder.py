# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the wheel of this folder with the standard library alone (PEP 517), so that `pip install`
works without a network and without setuptools."""
import base64
import hashlib
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as _file:
    VERSION = re.search(r'^version = "(.*)"', _file.read(), re.M).group(1)
NAME = "lightpath-" + VERSION
METADATA = """Metadata-Version: 2.1
Name: lightpath
Version: %s
Summary: Optically switched clusters as reinforcement-learning environments
License: GPL-3.0-or-later
Requires-Python: >=3.8
Provides-Extra: gymnasium
Requires-Dist: gymnasium>=1.0; extra == "gymnasium"
Requires-Dist: numpy; extra == "gymnasium"
""" % VERSION
WHEEL = "Wheel-Version: 1.0\nGenerator: lightpath\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def sources():
    """Names of the package's files."""
    folder = os.path.join(HERE, "lightpath")
    return sorted("lightpath/" + name for name in os.listdir(folder) if name.endswith(".py"))


def write_wheel(path, files):
    """A wheel of these (name, bytes), with the record that it needs."""
    info = NAME + ".dist-info/"
    files = files + [(info + "METADATA", METADATA.encode()), (info + "WHEEL", WHEEL.encode())]
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += "%s,sha256=%s,%d\n" % (name, digest, len(data))
            wheel.writestr(zipfile.ZipInfo(name), data)
        record += info + "RECORD,,\n"
        wheel.writestr(zipfile.ZipInfo(info + "RECORD"), record)


def build_wheel(directory, config_settings=None, metadata_directory=None):
    """PEP 517: a wheel with the package."""
    del config_settings, metadata_directory
    files = []
    for name in sources():
        with open(os.path.join(HERE, name), "rb") as file:
            files.append((name, file.read()))
    name = NAME + "-py3-none-any.whl"
    write_wheel(os.path.join(directory, name), files)
    return name


def build_editable(directory, config_settings=None, metadata_directory=None):
    """PEP 660: a wheel that points here."""
    del config_settings, metadata_directory
    name = NAME + "-py3-none-any.whl"
    write_wheel(os.path.join(directory, name), [("lightpath.pth", (HERE + "\n").encode())])
    return name


def build_sdist(directory, config_settings=None):
    """PEP 517: an archive of the sources."""
    del config_settings
    name = NAME + ".tar.gz"
    with tarfile.open(os.path.join(directory, name), "w:gz") as archive:
        for file in sources() + ["pyproject.toml", "packaging/wheel_of_folder.py"]:
            archive.add(os.path.join(HERE, file), NAME + "/" + file)
    return name
