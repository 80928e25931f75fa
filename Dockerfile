# docker build -t otlptest .
# docker run --rm -e OTLPTEST_TOKEN=secret -p 4317-4319:4317-4319 otlptest
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/otlptest ./cmd/otlptest && mkdir /out/tmp

FROM scratch
COPY --from=build /out/otlptest /otlptest
# Where --tls puts certificates that no --tls-dir is given for.
COPY --from=build --chown=65532:65532 /out/tmp /tmp
USER 65532:65532
# Other machines reach the API of a container: it asks for OTLPTEST_TOKEN.
ENV OTLPTEST_GRPC=:4317 OTLPTEST_HTTP=:4318 OTLPTEST_API=:4319
EXPOSE 4317 4318 4319
HEALTHCHECK --interval=5s --timeout=4s --start-period=5s CMD ["/otlptest", "healthcheck"]
ENTRYPOINT ["/otlptest"]
CMD ["serve"]
