package live;

import io.agentscope.core.ReActAgent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Starts the server and says on its first line where it is. It ends with its standard input. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        int port = new ChatServer().start();
        System.out.printf(
                "{\"port\":%d,\"agentscope\":\"%s\",\"java\":\"%s\"}%n",
                port, agentscopeVersion(), Runtime.version());
        while (System.in.read() >= 0) {
            // The runner holds the other end for as long as it lives.
        }
        System.exit(0);
    }

    private static String agentscopeVersion() throws IOException {
        String path = "/META-INF/maven/io.agentscope/agentscope-core/pom.properties";
        Properties properties = new Properties();
        try (InputStream file = ReActAgent.class.getResourceAsStream(path)) {
            if (file == null) return "unknown";
            properties.load(file);
        }
        return properties.getProperty("version");
    }
}
