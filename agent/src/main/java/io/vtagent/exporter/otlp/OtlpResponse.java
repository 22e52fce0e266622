package io.vtagent.exporter.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;

/** Checks whether a receiver has accepted a push. */
final class OtlpResponse {
    static final String PROTOBUF = "application/x-protobuf";

    private static final int FIRST_NO_SUCCESS = 300;
    private static final int FIRST_NO_REDIRECT = 400;
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_SHOWN = 200;

    private OtlpResponse() {}

    /**
     * @throws PushException unless the receiver has accepted everything
     */
    static void on(ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        if (status >= FIRST_NO_SUCCESS) {
            throw new PushException(
                    "HTTP status " + status + (status < FIRST_NO_REDIRECT ? ", a redirect" : ""));
        }
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return;
        }
        String type = String.valueOf(entity.getContentType()).toLowerCase(Locale.ROOT);
        if (type.startsWith("text/html")) {
            throw new PushException(
                    "HTTP status " + status + " with a web page, which is not OTLP");
        }
        if (type.startsWith(PROTOBUF)) {
            read(entity.getContent());
        }
    }

    private static void read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        ExportMetricsPartialSuccess partial;
        try {
            if (bytes.length > MAX_BYTES) {
                throw new InvalidProtocolBufferException("too long");
            }
            partial = ExportMetricsServiceResponse.parseFrom(bytes).getPartialSuccess();
        } catch (InvalidProtocolBufferException nonsense) {
            throw new PushException("the response is not OTLP");
        }
        if (partial.getRejectedDataPoints() > 0) {
            String why = partial.getErrorMessage();
            throw new PushException(
                    "the receiver rejected "
                            + partial.getRejectedDataPoints()
                            + " data points"
                            + (why.isBlank()
                                    ? ""
                                    : ": " + why.substring(0, Math.min(why.length(), MAX_SHOWN))));
        }
    }
}
