package live;

import io.agentscope.core.ReActAgent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Starts the server. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        serve(new ChatServer().start());
    }

    /** Says where a server is, and ends the process when nobody holds its standard input any more. */
    public static void serve(int port) throws IOException {
        System.out.printf(
                "{\"port\":%d,\"agentscope\":\"%s\",\"java\":\"%s\"}%n",
                port, agentscopeVersion(), Runtime.version());
        while (System.in.read() >= 0) {
            // Nothing is asked here.
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
