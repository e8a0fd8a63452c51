package live;

import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.model.ChatResponse;
import io.agentscope.core.model.GenerateOptions;
import io.agentscope.core.model.Model;
import io.agentscope.core.model.ToolSchema;
import java.util.List;
import reactor.core.publisher.Flux;

/** A model that says what the script of the user's last message says: one turn for each of its calls since then. */
final class ScriptedModel implements Model {

    @Override
    public String getModelName() {
        return "scripted";
    }

    @Override
    public Flux<ChatResponse> stream(
            List<Msg> messages, List<ToolSchema> tools, GenerateOptions options) {
        int asked = lastOfUser(messages);
        if (asked < 0) {
            return Flux.error(new IllegalStateException("Nobody said anything."));
        }
        long turn =
                messages.subList(asked, messages.size()).stream()
                        .filter(message -> message.getRole() == MsgRole.ASSISTANT)
                        .count();
        return Scripts.turn(messages.get(asked).getTextContent(), (int) turn);
    }

    /** What the framework adds in the user's name is no message of the user's. */
    private static int lastOfUser(List<Msg> messages) {
        for (int at = messages.size() - 1; at >= 0; at--) {
            Msg message = messages.get(at);
            if (message.getRole() == MsgRole.USER && Scripts.isKnown(message.getTextContent())) {
                return at;
            }
        }
        return -1;
    }
}
