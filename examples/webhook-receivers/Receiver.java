// Prints the webhooks that Trustwright signed, and refuses all others: java Receiver.java BASE_URL PORT
// Needs Java 17 or newer and nothing else.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Receiver {
    static final List<String> MUST_BE_COVERED =
            List.of("@request-target", "@method", "@authority", "content-digest");
    static final long FRESH_SECONDS = 300;
    static final long KEYS_READ_EVERY_NANOS = 10_000_000_000L;
    static final int MAX_BODY_BYTES = 10_000_000;
    static final Pattern INPUT = Pattern.compile("sig1=(\\(([^)]*)\\).*)");

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final URI jwks;
    private Map<String, PublicKey> keys = Map.of();
    private long readAt = System.nanoTime() - KEYS_READ_EVERY_NANOS;

    Receiver(String baseUrl) {
        jwks = URI.create(baseUrl.replaceAll("/+$", "") + "/v1/webhooks/jwks");
    }

    /** Returns what is wrong with the signature (RFC 9421), or null. `header` returns a header or null. */
    String findFault(String method, String target, UnaryOperator<String> header, byte[] body) throws Exception {
        Matcher input = INPUT.matcher(orEmpty(header.apply("signature-input")));
        if (!input.matches()) return "the request has no signature";
        String params = input.group(1);
        List<String> names = Arrays.stream(input.group(2).split(" ")).map(name -> name.replace("\"", "")).toList();
        if (!names.containsAll(MUST_BE_COVERED)) return "the signature does not cover all parts";
        long created = Long.parseLong("0" + first(";created=(\\d+)", params));
        if (Math.abs(System.currentTimeMillis() / 1000 - created) > FRESH_SECONDS) return "the signature is too old";
        String digest = Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(body));
        if (!("sha-256=:" + digest + ":").equals(header.apply("content-digest"))) return "the body was changed";

        StringBuilder base = new StringBuilder();
        for (String name : names) {
            String value = switch (name) {
                case "@request-target" -> target;
                case "@method" -> method;
                case "@authority" -> orEmpty(header.apply("host"));
                default -> orEmpty(header.apply(name));
            };
            base.append('"').append(name).append("\": ").append(value).append('\n');
        }
        base.append("\"@signature-params\": ").append(params);
        PublicKey key = findKey(first(";keyid=\"([^\"]+)\"", params));
        if (key == null) return "the key of the signature is unknown";
        Signature signature = Signature.getInstance("Ed25519");
        signature.initVerify(key);
        signature.update(base.toString().getBytes(StandardCharsets.UTF_8));
        try {
            byte[] bytes = Base64.getDecoder().decode(first("^sig1=:([^:]*):$", orEmpty(header.apply("signature"))));
            return signature.verify(bytes) ? null : "the signature is wrong";
        } catch (java.security.SignatureException | IllegalArgumentException wrong) {
            return "the signature is wrong";
        }
    }

    /** Keys rotate. They are read again for an unknown key, but not for each wrong request. */
    private synchronized PublicKey findKey(String id) throws Exception {
        if (!keys.containsKey(id) && System.nanoTime() - readAt >= KEYS_READ_EVERY_NANOS) {
            readAt = System.nanoTime();
            HttpRequest request = HttpRequest.newBuilder(jwks).timeout(Duration.ofSeconds(5)).build();
            String found = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Map<String, PublicKey> read = new HashMap<>();
            // Each key is a flat JSON object. A JSON library can replace these patterns.
            Matcher objects = Pattern.compile("\\{[^{}]*\\}").matcher(found);
            while (objects.find()) {
                String kid = first("\"kid\"\\s*:\\s*\"([^\"]+)\"", objects.group());
                String x = first("\"x\"\\s*:\\s*\"([^\"]+)\"", objects.group());
                if (!x.isEmpty()) read.put(kid, keyOf(Base64.getUrlDecoder().decode(x)));
            }
            keys = read;
        }
        return keys.get(id);
    }

    /** RFC 8032, section 5.1.2: 32 bytes, little-endian. The highest bit is the sign of x. */
    private static PublicKey keyOf(byte[] bytes) throws Exception {
        byte[] y = new byte[32];
        for (int at = 0; at < 32; at++) y[at] = bytes[31 - at];
        boolean isOdd = (y[0] & 0x80) != 0;
        y[0] &= 0x7f;
        EdECPoint point = new EdECPoint(isOdd, new BigInteger(1, y));
        return KeyFactory.getInstance("Ed25519").generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.find() ? found.group(1) : "";
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private void receive(HttpExchange exchange) {
        int status = 401;
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES);
            String target = exchange.getRequestURI().toString();
            String fault;
            try {
                fault = findFault(
                        exchange.getRequestMethod(), target, name -> exchange.getRequestHeaders().getFirst(name), body);
            } catch (Exception error) {
                fault = String.valueOf(error.getMessage());
            }
            System.out.println(fault == null ? new String(body, StandardCharsets.UTF_8) : "refused: " + fault);
            status = fault == null ? 204 : 401;
            exchange.sendResponseHeaders(status, -1);
        } catch (java.io.IOException closed) {
            System.err.println("closed: " + closed.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        String baseUrl = args.length > 0 ? args[0] : "http://localhost:3000";
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 4000;
        Receiver receiver = new Receiver(baseUrl);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", receiver::receive);
        server.start();
        System.out.println("Listening on port " + port);
    }
}
