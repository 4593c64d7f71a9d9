package dev.inboxd.console;

import dev.inboxd.account.AccountModule;
import dev.inboxd.account.oauth.OAuthServer;
import dev.inboxd.account.passkey.Passkeys;
import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.http.WebSocketHandler;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.console.approval.ApprovalPages;
import dev.inboxd.console.approval.DraftPages;
import dev.inboxd.console.approval.ReviewLetters;
import dev.inboxd.console.approval.ReviewWatch;
import dev.inboxd.console.mail.ContentLinks;
import dev.inboxd.console.mail.ContentPages;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.mail.MailPages;
import dev.inboxd.console.mail.ThreadPages;
import dev.inboxd.console.mail.ThrownMail;
import dev.inboxd.console.mail.TracePages;
import dev.inboxd.console.picture.RemotePictures;
import dev.inboxd.console.session.ConsentPages;
import dev.inboxd.console.session.ConsoleAccess;
import dev.inboxd.console.session.ConsoleConfig;
import dev.inboxd.console.session.ConsoleGate;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.EntryPages;
import dev.inboxd.console.session.FormTokens;
import dev.inboxd.console.session.LetterLinks;
import dev.inboxd.console.session.LetterPages;
import dev.inboxd.console.session.Visit;
import dev.inboxd.mailbox.deletion.Trash;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.web.Pages;
import java.net.URI;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The console: pages at {@code /console} over the calls of the API. */
public final class ConsoleModule implements ServiceModule {
    private final ConsoleConfig config;
    private final ConsoleSessions sessions;
    private final ContentLinks content;
    private final Visit.Services services;
    private final SampleMail sampleMail;
    private final OAuthServer programs;
    private final RemotePictures remote;
    private final AddressPages addresses;
    private final PaymentPages payments;
    private final QueuePages queue;
    private final Database database;
    private final LetterLinks letters;
    private final ReviewWatch watch;
    private final ThrownMail thrown;
    private final PeoplePages people;
    private final Passkeys passkeys;

    /** What the console needs of other parts. */
    public record Parts(LocalCalls calls, AccountModule account, Mail mail, Keys keys) {}

    /** Sends the test mail, and keeps what people throw away. */
    public record Mail(SystemMail system, IntSupplier smtpPort, Trash trash) {}

    /** What lets programs in: keys, and what fetches the documents of programs. */
    public record Keys(ApiKeys keys, SafeHttp http) {}

    /** The console of this platform. */
    public ConsoleModule(ConsoleConfig config, PlatformModule platform, Parts parts) {
        this.config = config;
        this.sessions = parts.account().consoleSessions();
        this.passkeys = parts.account().passkeys();
        this.people = new PeoplePages(
                parts.account().people(), sessions, parts.account().devices(), passkeys);
        this.content = new ContentLinks(config, platform.vault(), platform.clock());
        FormTokens tokens = new FormTokens(platform.vault(), platform.clock());
        ConsoleGate gate =
                new ConsoleGate(config, new Organizations(platform.database(), platform.clock()), sessions, tokens);
        this.services = new Visit.Services(
                parts.calls(),
                new Pages(config.publicUrl()),
                gate,
                config,
                new Visit.Style(
                        policy(content),
                        platform.clock(),
                        () -> platform.nodes().marks()));
        this.database = platform.database();
        this.letters = new LetterLinks(platform.vault(), config.publicUrl());
        this.watch = new ReviewWatch(database);
        if (isOn()) {
            new ReviewLetters(database, parts.mail().system(), letters).findBy(platform.due(), platform.nodes());
        }
        this.payments = new PaymentPages(platform.database());
        this.queue = new QueuePages(
                platform.database(), platform.budgets(), () -> platform.nodes().marks());
        this.addresses = new AddressPages(platform.database(), platform.budgets());
        this.thrown = new ThrownMail(parts.mail().trash());
        this.remote = new RemotePictures(parts.keys().http());
        this.sampleMail = new SampleMail(
                platform.database(), parts.mail().system(), parts.mail().smtpPort());
        this.programs = new OAuthServer(
                config.publicUrl(),
                platform,
                new OAuthServer.Makers(parts.calls(), parts.keys().keys(), gate::person),
                parts.keys().http());
    }

    /** Whether there are pages. */
    public boolean isOn() {
        return config.access() != ConsoleAccess.OFF;
    }

    /** Where a person opens it in a browser; with the token, where one opens it. Empty when there are no pages. */
    public Optional<URI> address() {
        String token = config.token()
                .map(operatorToken -> "?token=" + operatorToken.value())
                .orElse("");
        return isOn() ? Optional.of(URI.create(config.publicUrl() + "/console" + token)) : Optional.empty();
    }

    /** Whether a caller's key is one that a person gave to a program on a page of consent. */
    public boolean isGivenToProgram(Caller caller) {
        return isOn() && programs.isGiven(caller);
    }

    /** Pages load what is served here alone, send forms here alone, and are shown in no frame. */
    private static String policy(ContentLinks content) {
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                + " manifest-src 'self'; form-action 'self'; frame-src " + content.frames()
                + "; frame-ancestors 'none'; base-uri 'none'";
    }

    @Override
    public void mount(RouteTable routes) {
        if (!isOn()) {
            return;
        }
        Routes root = routes.at(Level.ROOT);
        ConsolePages pages = new ConsolePages(services, sessions, root);
        WebhookStates states = new WebhookStates(database);
        new HomePages(sampleMail, config, database).mount(pages);
        new InboxPages(thrown).mount(pages);
        new MailPages(thrown).mount(pages);
        new ThreadPages(content, thrown).mount(pages);
        new TracePages().mount(pages);
        new ApprovalPages(watch).mount(pages);
        new DraftPages().mount(pages);
        new WebhookPages(states).mount(pages);
        new CalendarPages().mount(pages);
        new AccountPages().mount(pages);
        new DomainPages().mount(pages);
        queue.mount(pages);
        addresses.mount(pages);
        if (config.payments()) {
            payments.mount(pages);
        }
        new KeyPages().mount(pages);
        people.mount(pages);
        new ActivityPages().mount(pages);
        new ComponentPages().mount(pages);
        new ConsentPages(programs).mount(pages);
        programs.mount(routes);
        new LetterPages(pages, services.gate(), database, letters).mount(root);
        new EntryPages(
                        pages,
                        services.gate(),
                        new EntryPages.Keys(sessions, passkeys),
                        services.pages().base())
                .mount(root);
        new ContentPages(content, services.calls(), remote).mount(root);
        root.socket(Gate.PUBLIC, "/console/live", this::live);
    }

    private WebSocketHandler live(Request request) {
        services.gate().requireOwnOrigin(request);
        String cursor = request.query().text("cursor");
        try {
            return new LiveSocket(
                    services.calls(),
                    services.gate().lasting(request),
                    cursor == null || cursor.isEmpty() ? "now" : cursor);
        } catch (ConsoleGate.AbsentVisitorException absent) {
            throw Problem.of(ErrorCode.UNAUTHORIZED, "Nobody is signed in");
        }
    }
}
