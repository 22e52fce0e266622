package io.vtagent.demo.workload;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Gets pages over a plain socket: the calling thread itself blocks in the read, and no monitor is
 * held while it does.
 *
 * <p>It uses a channel instead of a {@code java.net.Socket}, because each of those registers with
 * the JDK's Cleaner, on JDK 21 in a monitor that is contended at times: the fixed variant must not
 * have even that.
 *
 * @param server where the pages are; an address, since resolving a name would hold the carrier
 */
public record ArticleClient(InetSocketAddress server) {

    private static final int MAX_ANSWER = 1_024;
    private static final String OK = "HTTP/1.1 200";
    private static final String END_OF_HEADERS = "\r\n\r\n";

    public String get(String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(server)) {
            channel.write(ByteBuffer.wrap(ascii("GET " + path + " HTTP/1.0" + END_OF_HEADERS)));
            ByteBuffer bytes = ByteBuffer.allocate(MAX_ANSWER);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // The server closes the connection after its answer.
            }
            String answer =
                    new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
            if (!answer.startsWith(OK)) {
                throw new IOException("expected " + OK + " for " + path + ", but got " + answer);
            }
            return answer.substring(answer.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length());
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
