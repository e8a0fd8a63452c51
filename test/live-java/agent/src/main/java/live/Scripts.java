package live;

import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ThinkingBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.model.ChatResponse;
import io.agentscope.core.model.ChatUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** What the model says, by the user's text: for each of its calls the pieces that it streams. */
final class Scripts {

    private static final Duration BETWEEN_PIECES = Duration.ofMillis(10);

    private static final Map<String, List<List<ContentBlock>>> SCRIPTS =
            Map.ofEntries(
                    Map.entry("plain", List.of(text("Hello,", " world", ". ", "你好 🙂"))),
                    Map.entry(
                            "thinking",
                            List.of(join(think("They greet ", "me."), text("Good", " morning.")))),
                    Map.entry(
                            "text-tool-text",
                            List.of(
                                    join(
                                            text("Let me ", "look."),
                                            call("call_1", "look_up", "{\"topic\":", "\"weather\"}")),
                                    text("It is ", "sunny."))),
                    Map.entry(
                            "text-around-tool",
                            List.of(
                                    join(
                                            think("A look will do."),
                                            text("Before."),
                                            call("call_1", "look_up", "{\"topic\":\"weather\"}"),
                                            text("After.")),
                                    text("It is sunny."))),
                    Map.entry(
                            "parallel-tools",
                            List.of(
                                    join(
                                            call("call_1", "look_up", "{\"topic\":", "\"weather\"}"),
                                            call("call_2", "look_up", "{\"topic\":", "\"traffic\"}")),
                                    text("Sunny, and no jams."))),
                    Map.entry(
                            "interleaved-tools",
                            List.of(
                                    interleave(
                                            call("call_1", "look_up", "{\"topic\":", "\"weather\"}"),
                                            call("call_2", "look_up", "{\"topic\":", "\"traffic\"}")),
                                    text("Sunny, and no jams."))),
                    Map.entry("tool-in-chunks", List.of(call("call_1", "count", "{}"), text("Counted."))),
                    Map.entry("tool-fails", List.of(call("call_1", "fail", "{}"), text("It failed."))),
                    Map.entry("picture", List.of(call("call_1", "draw", "{}"), text("Here it is."))),
                    Map.entry(
                            "ask",
                            List.of(
                                    join(
                                            text("I will delete it."),
                                            call("call_1", "delete_file", "{\"path\":", "\"/a.txt\"}")),
                                    text("That is settled."))),
                    Map.entry(
                            "ask-again",
                            List.of(
                                    call("call_2", "delete_file", "{\"path\":\"/a.txt\"}"),
                                    text("Gone again."))),
                    Map.entry(
                            "ask-two",
                            List.of(
                                    join(
                                            call("call_1", "delete_file", "{\"path\":\"/a.txt\"}"),
                                            call("call_2", "look_up", "{\"topic\":\"weather\"}"),
                                            call("call_3", "delete_file", "{\"path\":\"/b.txt\"}")),
                                    text("That is settled."))),
                    Map.entry(
                            "forbidden",
                            List.of(call("call_1", "format_disk", "{}"), text("I may not."))),
                    Map.entry(
                            "forbidden-and-ask",
                            List.of(
                                    join(
                                            call("call_1", "format_disk", "{}"),
                                            call("call_2", "delete_file", "{\"path\":\"/a.txt\"}")),
                                    text("That is settled."))),
                    Map.entry(
                            "external-and-ask",
                            List.of(
                                    join(
                                            call("call_1", "locate_user", "{\"accuracy\":\"city\"}"),
                                            call("call_2", "delete_file", "{\"path\":\"/a.txt\"}")),
                                    text("That is settled."))),
                    Map.entry(
                            "external",
                            List.of(
                                    join(
                                            text("Where are you?"),
                                            call("call_1", "locate_user", "{\"accuracy\":\"city\"}")),
                                    text("Paris, then."))),
                    Map.entry(
                            "suspended",
                            List.of(call("call_1", "sign", "{}"), text("Signed and sealed."))),
                    Map.entry("slow", List.of(text(words(400)))),
                    Map.entry("slow-tool", List.of(call("call_1", "wait", "{}"), text("Waited."))),
                    Map.entry(
                            "max-iterations",
                            List.of(
                                    join(
                                            text("Let me look."),
                                            call("call_1", "look_up", "{\"topic\":\"weather\"}")),
                                    call("call_2", "look_up", "{\"topic\":\"traffic\"}"),
                                    text("I ran out of turns."))),
                    Map.entry("thinking-only", List.of(think("Nothing ", "to say."))),
                    Map.entry("empty", List.of(List.of())),
                    Map.entry("model-error", List.of(text("I was about to", " say"))));

    private Scripts() {}

    static boolean isKnown(String text) {
        return SCRIPTS.containsKey(text);
    }

    static Flux<ChatResponse> turn(String text, int turn) {
        List<List<ContentBlock>> turns = SCRIPTS.get(text);
        List<ContentBlock> pieces = turns.get(Math.min(turn, turns.size() - 1));
        Flux<ChatResponse> said =
                Flux.fromIterable(pieces)
                        .map(piece -> ChatResponse.builder().content(List.of(piece)).build())
                        .concatWithValues(usage(pieces.size()))
                        .delayElements(BETWEEN_PIECES);
        return text.equals("model-error")
                ? said.concatWith(Flux.error(new IllegalStateException("The model is gone.")))
                : said;
    }

    private static ChatResponse usage(int pieces) {
        ChatUsage usage = ChatUsage.builder().inputTokens(10).outputTokens(pieces).time(0.1).build();
        return ChatResponse.builder().content(List.of()).usage(usage).finishReason("stop").build();
    }

    private static List<ContentBlock> text(String... pieces) {
        return Arrays.stream(pieces)
                .<ContentBlock>map(piece -> TextBlock.builder().text(piece).build())
                .toList();
    }

    private static List<ContentBlock> think(String... pieces) {
        return Arrays.stream(pieces)
                .<ContentBlock>map(piece -> ThinkingBlock.builder().thinking(piece).build())
                .toList();
    }

    /** A tool call as the framework's own parsers hand it over: named once, then nameless fragments. */
    private static List<ContentBlock> call(String id, String name, String... arguments) {
        return IntStream.range(0, arguments.length)
                .<ContentBlock>mapToObj(
                        at ->
                                new ToolUseBlock(
                                        id,
                                        at == 0 ? name : "__fragment__",
                                        Map.of(),
                                        arguments[at],
                                        null))
                .toList();
    }

    private static String[] words(int count) {
        return IntStream.range(0, count).mapToObj(at -> "word" + at + " ").toArray(String[]::new);
    }

    @SafeVarargs
    private static List<ContentBlock> join(List<ContentBlock>... parts) {
        return Stream.of(parts).flatMap(List::stream).toList();
    }

    private static List<ContentBlock> interleave(List<ContentBlock> one, List<ContentBlock> other) {
        List<ContentBlock> pieces = new ArrayList<>();
        for (int at = 0; at < one.size(); at++) {
            pieces.add(one.get(at));
            pieces.add(other.get(at));
        }
        return pieces;
    }
}
