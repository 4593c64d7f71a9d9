package dev.inboxd.console;

import dev.inboxd.account.passkey.Passkeys;
import dev.inboxd.account.person.MadeKey;
import dev.inboxd.account.person.OrganizationPeople;
import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.account.session.OpenDevice;
import dev.inboxd.account.session.OpenDevices;
import dev.inboxd.account.session.SessionOrigin;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.PasskeyList;
import dev.inboxd.console.view.PersonCard;
import dev.inboxd.observe.audit.AuditSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The people of an organization, what each may, and where each is signed in. */
final class PeoplePages {
    private static final String PAGE = "people";
    private static final String HUMAN = "human";

    private final OrganizationPeople people;
    private final ConsoleSessions sessions;
    private final OpenDevices devices;
    private final Passkeys passkeys;

    PeoplePages(OrganizationPeople people, ConsoleSessions sessions, OpenDevices devices, Passkeys passkeys) {
        this.people = people;
        this.sessions = sessions;
        this.devices = devices;
        this.passkeys = passkeys;
    }

    void mount(ConsolePages pages) {
        pages.page("/people", this::list)
                .form("/people", Role.OWN, this::act)
                .form("/people/self", Role.READ, this::actAlone);
    }

    /** Where others are signed in is for owners alone. */
    private Response list(Visit visit) {
        Caller caller = visit.caller();
        String self = sessions.person(caller);
        @Nullable UUID currentSession = visit.isSignedIn() ? caller.credential().id() : null;
        List<OpenDevice> open = devices.all(caller);
        List<MadeKey> keys = caller.role().covers(Role.OWN) ? people.keys(caller) : List.of();
        List<PersonCard> cards = people.all(caller).stream()
                .map(person -> {
                    boolean isSelf = person.humanEmail().equals(self);
                    List<OpenDevice> own = open.stream()
                            .filter(device -> isSelf || caller.role().covers(Role.OWN))
                            .filter(device -> device.humanEmail().equals(person.humanEmail()))
                            .toList();
                    List<String> keyNames = keys.stream()
                            .filter(key -> key.humanEmail().equals(person.humanEmail()))
                            .map(MadeKey::name)
                            .toList();
                    return new PersonCard(person, isSelf, keyNames, own, currentSession);
                })
                .toList();
        return visit.page(PAGE, "people/People", Map.of("cards", cards, "passkeys", own(visit)))
                .header("Cache-Control", "no-store");
    }

    /** Where nobody is signed in, or browsers make none here, there is nothing to show. */
    private PasskeyList own(Visit visit) {
        return visit.isSignedIn() && passkeys.isPossible()
                ? new PasskeyList(passkeys.all(visit.caller()), passkeys.creationOptions(visit.caller()))
                : PasskeyList.NONE;
    }

    private Response act(Visit visit) {
        PageForm form = visit.form();
        Caller caller = visit.caller();
        AuditSource source = AuditSource.of(visit.request());
        return switch (form.text("do")) {
            case "invite" -> {
                people.invite(caller, form.text("address"), role(form), source);
                yield visit.to("invited", PAGE);
            }
            case "role" -> change(visit, role(form));
            case "own" -> change(visit, Role.OWN);
            case "approve" -> change(visit, Role.APPROVE);
            case "read" -> change(visit, Role.READ);
            case "remove" -> {
                people.remove(caller, form.text(HUMAN), source);
                yield visit.to("removed", PAGE);
            }
            case "end" -> {
                devices.end(caller, form.text(HUMAN), session(form), source);
                yield visit.to("ended", PAGE);
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }

    private Response change(Visit visit, Role role) {
        String human = visit.form().text(HUMAN);
        boolean isLowered = human.equals(sessions.person(visit.caller())) && role != Role.OWN;
        people.change(visit.caller(), human, role, AuditSource.of(visit.request()));
        return isLowered ? visit.out("lowered") : visit.to("changed", PAGE);
    }

    /** What everybody may do about oneself. */
    private Response actAlone(Visit visit) {
        PageForm form = visit.form();
        Caller caller = visit.caller();
        AuditSource source = AuditSource.of(visit.request());
        String self = sessions.person(caller);
        if (self == null) {
            throw Problem.invalid("do", "Nobody is signed in here");
        }
        return switch (form.text("do")) {
            case "end" -> {
                devices.end(caller, self, session(form), source);
                yield visit.to("ended", PAGE);
            }
            case "end-all" -> {
                sessions.closeAll(caller, source);
                yield visit.out("out");
            }
            case "add-passkey" -> {
                SessionOrigin origin = SessionOrigin.of(visit.request().header("User-Agent"), source.address());
                passkeys.add(caller, form.text("answer"), origin, source);
                yield visit.to("passkey-added", PAGE);
            }
            case "remove-passkey" -> {
                passkeys.remove(caller, id(form, "passkey_id", "Passkey"), source);
                yield visit.to("passkey-removed", PAGE);
            }
            case "leave" -> {
                people.remove(caller, self, source);
                yield visit.out("left");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }

    private static UUID session(PageForm form) {
        return id(form, "session_id", "Session");
    }

    private static UUID id(PageForm form, String field, String kind) {
        @Nullable UUID id = Uuid7.parse(form.text(field));
        if (id == null) {
            throw Problem.notFound(kind);
        }
        return id;
    }

    private static Role role(PageForm form) {
        @Nullable Role role = Role.ofWire(form.text("role"));
        if (role == null) {
            throw Problem.invalid("role", "Choose a role");
        }
        return role;
    }
}
