package live.spring;

import com.example.chat.AgentController;
import io.agentscope.core.ReActAgent;
import java.io.IOException;
import java.util.Map;
import live.Assistant;
import live.Main;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The documentation's controller in an application of its own, with the scripted agent. */
@SpringBootApplication
@Import(AgentController.class)
public class ChatApplication {

    @Bean
    ReActAgent agent() {
        return Assistant.create();
    }

    public static void main(String[] arguments) throws IOException {
        SpringApplication application = new SpringApplication(ChatApplication.class);
        application.setDefaultProperties(
                Map.of("server.address", "127.0.0.1", "server.port", "0", "spring.main.banner-mode", "off"));
        var context = (ReactiveWebServerApplicationContext) application.run(arguments);
        Main.serve(context.getWebServer().getPort());
    }
}
