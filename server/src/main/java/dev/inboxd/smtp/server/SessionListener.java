package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts the connections of a listener, and runs a session for each that is admitted. Runs on its own thread. */
final class SessionListener implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionListener.class);
    private static final long PAUSE_MILLIS = 100;

    private final ServerSocket socket;
    private final ServerContext context;

    SessionListener(ServerSocket socket, ServerContext context) {
        this.socket = socket;
        this.context = context;
    }

    /** Returns when the socket is closed. */
    @Override
    public void run() {
        while (!socket.isClosed()) {
            try {
                open(socket.accept());
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    LOG.warn("SMTP connection not accepted, next try in 100 ms", e);
                    pause(); // most likely out of file descriptors
                }
            }
        }
    }

    private void open(Socket client) throws IOException {
        SmtpSession session;
        try {
            session = new SmtpSession(context, new SmtpConnection(client));
        } catch (IOException disconnected) {
            client.close();
            return;
        }
        InetAddress peer = client.getInetAddress();
        SmtpReply refusal =
                context.sessions().admit(session, context.config().proxies().isProxy(peer) ? null : peer);
        if (refusal != null) {
            session.refuse(refusal);
            return;
        }
        Thread.ofVirtual().name("smtp-session").start(() -> {
            context.log().began();
            try {
                session.run();
            } finally {
                context.sessions().ended(session);
            }
        });
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
