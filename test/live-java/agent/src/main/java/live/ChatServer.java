package live;

import com.fasterxml.jackson.core.type.TypeReference;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.event.AgentEvent;
import io.agentscope.core.event.ConfirmResult;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolResultMessage;
import io.agentscope.core.message.UserMessage;
import io.agentscope.core.util.JsonCodec;
import io.agentscope.core.util.JsonUtils;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** The endpoints: a turn is a POST whose response streams the agent's events, each as a `data:` line. */
final class ChatServer {

    private static final JsonCodec JSON = JsonUtils.getJsonCodec();

    private final Map<String, ReActAgent> agents = new ConcurrentHashMap<>();

    /** What a client posts; each route reads what it needs. */
    record Request(
            String sessionId,
            String message,
            List<Map<String, Object>> confirmResults,
            List<Map<String, Object>> toolResults) {}

    /** Starts on a free port of the loopback interface, and returns it. */
    int start() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/chat", exchange -> stream(exchange, this::userMessage));
        server.createContext("/confirm", exchange -> stream(exchange, this::confirmMessage));
        server.createContext("/external", exchange -> stream(exchange, this::externalMessage));
        server.createContext("/interrupt", this::interrupt);
        server.createContext("/memory", this::memory);
        server.start();
        return server.getAddress().getPort();
    }

    private interface MessageOf {
        Msg read(Request request);
    }

    private Msg userMessage(Request request) {
        return new UserMessage(request.message());
    }

    /** The agent takes confirm results as objects of its own, in the metadata of a message. */
    private Msg confirmMessage(Request request) {
        List<ConfirmResult> results =
                JSON.convertValue(request.confirmResults(), new TypeReference<>() {});
        return UserMessage.builder()
                .metadata(Map.of(Msg.METADATA_CONFIRM_RESULTS, results))
                .build();
    }

    private Msg externalMessage(Request request) {
        List<ToolResultBlock> results =
                JSON.convertValue(request.toolResults(), new TypeReference<>() {});
        return new ToolResultMessage(results);
    }

    private void stream(HttpExchange exchange, MessageOf messageOf) throws IOException {
        Request request = JSON.fromJson(bodyOf(exchange), Request.class);
        Msg message = messageOf.read(request);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=UTF-8");
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        // An error ends the connection in the middle, as it does with Spring: there is no event for it.
        agentOf(request)
                .streamEvents(message, contextOf(request.sessionId()))
                .doOnNext(event -> write(body, event))
                .blockLast();
        exchange.close();
    }

    private static void write(OutputStream body, AgentEvent event) {
        try {
            // Spring writes no space after the colon.
            body.write(("data:" + JSON.toJson(event) + "\n\n").getBytes(StandardCharsets.UTF_8));
            body.flush();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private void interrupt(HttpExchange exchange) throws IOException {
        Request request = JSON.fromJson(bodyOf(exchange), Request.class);
        agentOf(request).interrupt(contextOf(request.sessionId()));
        answer(exchange, Map.of("interrupted", true));
    }

    /** What the agent remembers, message by message. */
    private void memory(HttpExchange exchange) throws IOException {
        String sessionId = exchange.getRequestURI().getQuery().replaceFirst("^sessionId=", "");
        ReActAgent agent = agents.get(sessionId);
        RuntimeContext context = contextOf(sessionId);
        answer(exchange, agent == null ? List.of() : agent.getAgentState(context).getContext());
    }

    private ReActAgent agentOf(Request request) {
        int iterations = "max-iterations".equals(request.message()) ? 1 : 10;
        return agents.computeIfAbsent(request.sessionId(), id -> Assistant.create(iterations));
    }

    private static RuntimeContext contextOf(String sessionId) {
        return RuntimeContext.builder().userId("live").sessionId(sessionId).build();
    }

    private static String bodyOf(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, Object value) throws IOException {
        byte[] bytes = JSON.toJson(value).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
