package com.example.chat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.event.ConfirmResult;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolResultMessage;
import io.agentscope.core.message.UserMessage;
import io.agentscope.core.util.JsonCodec;
import io.agentscope.core.util.JsonUtils;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;

/** An agent over HTTP: a turn is a POST whose response streams the agent's events. */
@RestController
@RequestMapping("/agent")
public class AgentController {

    /** AgentScope's own JSON: Spring's may spell fields in another way, or drop the `type` of blocks. */
    private static final JsonCodec JSON = JsonUtils.getJsonCodec();

    private static final Logger log = LoggerFactory.getLogger(AgentController.class);

    /** One agent for all sessions: it keeps a state for each. */
    private final ReActAgent agent;

    public AgentController(ReActAgent agent) {
        this.agent = agent;
    }

    /** What the client posts: one of the lists, for a session. Spring only parses them; AgentScope reads them. */
    public record TurnRequest(
            String sessionId,
            List<Map<String, Object>> messages,
            List<Map<String, Object>> confirmResults,
            List<Map<String, Object>> toolResults) {}

    /** The person says something. */
    @PostMapping(path = "/chat", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    public Flux<ServerSentEvent<String>> chat(@RequestBody TurnRequest request) {
        return run(request, read(request.messages(), new TypeReference<List<Msg>>() {}));
    }

    /** The person allowed or denied calls. The agent wants objects of its own in the metadata: maps it would ignore. */
    @PostMapping(path = "/confirm", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    public Flux<ServerSentEvent<String>> confirm(@RequestBody TurnRequest request) {
        List<ConfirmResult> results =
                read(request.confirmResults(), new TypeReference<List<ConfirmResult>>() {});
        Map<String, Object> metadata = Map.of(Msg.METADATA_CONFIRM_RESULTS, results);
        return run(request, List.of(UserMessage.builder().metadata(metadata).build()));
    }

    /** The client ran tools that the agent handed out. */
    @PostMapping(path = "/external", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    public Flux<ServerSentEvent<String>> external(@RequestBody TurnRequest request) {
        List<ToolResultBlock> results =
                read(request.toolResults(), new TypeReference<List<ToolResultBlock>>() {});
        return run(request, List.of(new ToolResultMessage(results)));
    }

    /** The person pressed Stop. The stream of the turn tells how it ends. */
    @PostMapping("/interrupt")
    public void interrupt(@RequestBody TurnRequest request) {
        agent.interrupt(contextOf(request.sessionId()));
    }

    /** What was said so far, as the agent remembers it. */
    @GetMapping(path = "/memory", produces = MediaType.APPLICATION_JSON_VALUE)
    public String memory(@RequestParam String sessionId) {
        return JSON.toJson(agent.getAgentState(contextOf(sessionId)).getContext());
    }

    private Flux<ServerSentEvent<String>> run(TurnRequest request, List<Msg> messages) {
        return agent.streamEvents(messages, contextOf(request.sessionId()))
                .map(JSON::toJson)
                .onErrorResume(error -> Flux.just(tellError(request, error)))
                .map(event -> ServerSentEvent.builder(event).build());
    }

    /** The agent has no event for its own failure: without this one the connection would just break off. */
    private static String tellError(TurnRequest request, Throwable error) {
        log.error("The run of session {} failed", request.sessionId(), error);
        return JSON.toJson(Map.of("type", "ERROR", "message", "The agent failed."));
    }

    private static <T> List<T> read(List<Map<String, Object>> values, TypeReference<List<T>> type) {
        if (values == null) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "Nothing in it.");
        }
        try {
            return JSON.convertValue(values, type);
        } catch (RuntimeException error) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "Not understood.", error);
        }
    }

    /** Take the user from your own authentication: whoever knows another's session must not get at it. */
    private static RuntimeContext contextOf(String sessionId) {
        if (sessionId == null || sessionId.isBlank()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "Which session?");
        }
        return RuntimeContext.builder().userId("user").sessionId(sessionId).build();
    }
}
