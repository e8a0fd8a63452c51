package live;

import io.agentscope.core.message.Base64Source;
import io.agentscope.core.message.ImageBlock;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.tool.Tool;
import io.agentscope.core.tool.ToolEmitter;
import io.agentscope.core.tool.ToolParam;
import io.agentscope.core.tool.ToolSuspendException;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** The tools that the scripted model calls. */
public final class Tools {

    /** A red pixel. */
    private static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

    @Tool(name = "look_up", description = "Looks something up.", readOnly = true)
    public String lookUp(@ToolParam(name = "topic", description = "Of what.") String topic) {
        return topic.equals("weather") ? "sunny" : "no jams";
    }

    @Tool(name = "delete_file", description = "Deletes a file; asks first.")
    public String deleteFile(@ToolParam(name = "path", description = "Which.") String path) {
        return "deleted " + path;
    }

    @Tool(name = "format_disk", description = "Must never run.")
    public String formatDisk() {
        return "formatted";
    }

    @Tool(name = "count", description = "Counts aloud.", readOnly = true)
    public ToolResultBlock count(ToolEmitter emitter) {
        emitter.emit(ToolResultBlock.text("one "));
        emitter.emit(ToolResultBlock.text("two "));
        return ToolResultBlock.text("one two three");
    }

    @Tool(name = "fail", description = "Fails.", readOnly = true)
    public String fail() {
        throw new IllegalStateException("The disk is full.");
    }

    @Tool(name = "draw", description = "Draws a picture.", readOnly = true)
    public ToolResultBlock draw() {
        Base64Source source = Base64Source.builder().mediaType("image/png").data(PIXEL).build();
        return ToolResultBlock.of(
                List.of(
                        TextBlock.builder().text("A red pixel.").build(),
                        ImageBlock.builder().source(source).build()));
    }

    @Tool(name = "sign", description = "Waits for a signature.", readOnly = true)
    public String sign() {
        throw new ToolSuspendException("A person has to sign.");
    }

    @Tool(name = "wait", description = "Takes its time.", readOnly = true)
    public Mono<String> waitAWhile() {
        return Mono.delay(Duration.ofMillis(800)).map(ignored -> "waited");
    }
}
