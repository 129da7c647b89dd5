# ralphex with agents, for `ralphex sandbox` (docs/sandbox.md):
#
#	docker build -t ralphex .
#	docker build -t ralphex --build-arg AGENTS="@anthropic-ai/claude-code" .
#
# What your plans' validation commands need (compilers, test runners) goes into an image of your own that begins with FROM ralphex.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /ralphex ./cmd/ralphex

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends bash ca-certificates git jq mercurial ripgrep \
 && rm -rf /var/lib/apt/lists/*
ARG AGENTS="@anthropic-ai/claude-code @openai/codex"
RUN if [ -n "$AGENTS" ]; then npm install --global --no-audit --no-fund $AGENTS; fi
COPY --from=build /ralphex /usr/local/bin/ralphex
COPY scripts/sandbox-start.sh /usr/local/bin/sandbox-start
RUN chmod 755 /usr/local/bin/sandbox-start
# The person's own id comes with the command; this one is for who forgets it.
USER node
ENV RALPHEX_DOCKER=1
ENTRYPOINT ["sandbox-start"]
