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
import java.util.concurrent.Executors;

/** The endpoints: a turn is a POST whose response streams the agent's events, each as a `data:` line. */
final class ChatServer {

    private static final JsonCodec JSON = JsonUtils.getJsonCodec();

    private final ReActAgent agent = Assistant.create();

    /** What a client posts; each route reads what it needs. */
    record Request(
            String sessionId,
            List<Map<String, Object>> messages,
            List<Map<String, Object>> confirmResults,
            List<Map<String, Object>> toolResults) {}

    /** Starts on a free port of the loopback interface, and returns it. */
    int start() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/agent/chat", exchange -> stream(exchange, this::userMessages));
        server.createContext("/agent/confirm", exchange -> stream(exchange, this::confirmMessage));
        server.createContext("/agent/external", exchange -> stream(exchange, this::externalMessage));
        server.createContext("/agent/interrupt", this::interrupt);
        server.createContext("/agent/memory", this::memory);
        server.start();
        return server.getAddress().getPort();
    }

    private interface MessageOf {
        List<Msg> read(Request request);
    }

    private List<Msg> userMessages(Request request) {
        return JSON.convertValue(request.messages(), new TypeReference<>() {});
    }

    /** The agent takes confirm results as objects of its own, in the metadata of a message. */
    private List<Msg> confirmMessage(Request request) {
        List<ConfirmResult> results =
                JSON.convertValue(request.confirmResults(), new TypeReference<>() {});
        Map<String, Object> metadata = Map.of(Msg.METADATA_CONFIRM_RESULTS, results);
        return List.of(UserMessage.builder().metadata(metadata).build());
    }

    private List<Msg> externalMessage(Request request) {
        List<ToolResultBlock> results =
                JSON.convertValue(request.toolResults(), new TypeReference<>() {});
        return List.of(new ToolResultMessage(results));
    }

    private void stream(HttpExchange exchange, MessageOf messageOf) throws IOException {
        Request request = JSON.fromJson(bodyOf(exchange), Request.class);
        List<Msg> messages = messageOf.read(request);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=UTF-8");
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        // An error ends the connection in the middle, as it does with Spring: there is no event for it.
        agent.streamEvents(messages, contextOf(request.sessionId()))
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
        agent.interrupt(contextOf(request.sessionId()));
        answer(exchange, Map.of("interrupted", true));
    }

    /** What the agent remembers, message by message. */
    private void memory(HttpExchange exchange) throws IOException {
        String sessionId = exchange.getRequestURI().getQuery().replaceFirst("^sessionId=", "");
        answer(exchange, agent.getAgentState(contextOf(sessionId)).getContext());
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
