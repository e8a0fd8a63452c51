package live;

import io.agentscope.core.ReActAgent;
import io.agentscope.core.model.ToolSchema;
import io.agentscope.core.permission.PermissionBehavior;
import io.agentscope.core.permission.PermissionContextState;
import io.agentscope.core.permission.PermissionRule;
import io.agentscope.core.tool.Toolkit;
import java.util.Map;

/** The agent: a scripted model, a few tools, one of which asks first and one of which the client runs. */
public final class Assistant {

    private static final int MAX_ITERATIONS = 2;

    private Assistant() {}

    public static ReActAgent create() {
        Toolkit toolkit = new Toolkit();
        toolkit.registerTool(new Tools());
        toolkit.registerSchema(
                ToolSchema.builder()
                        .name("locate_user")
                        .description("Says where the user is.")
                        .parameters(
                                Map.of(
                                        "type",
                                        "object",
                                        "properties",
                                        Map.of("accuracy", Map.of("type", "string"))))
                        .build());
        return ReActAgent.builder()
                .name("Friday")
                .sysPrompt("You are Friday.")
                .model(new ScriptedModel())
                .toolkit(toolkit)
                .maxIters(MAX_ITERATIONS)
                .permissionContext(permissions(toolkit))
                .build();
    }

    /** As soon as there is one rule, every tool without a rule asks: here that is `delete_file` alone. */
    private static PermissionContextState permissions(Toolkit toolkit) {
        PermissionContextState.Builder rules = PermissionContextState.builder();
        rules.addDenyRule("format_disk", rule("format_disk", PermissionBehavior.DENY));
        for (String tool : toolkit.getToolNames()) {
            if (!tool.equals("delete_file") && !tool.equals("format_disk")) {
                rules.addAllowRule(tool, rule(tool, PermissionBehavior.ALLOW));
            }
        }
        return rules.build();
    }

    private static PermissionRule rule(String tool, PermissionBehavior behavior) {
        return new PermissionRule(tool, null, behavior, "policy");
    }
}
