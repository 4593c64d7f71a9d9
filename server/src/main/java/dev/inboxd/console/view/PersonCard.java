package dev.inboxd.console.view;

import dev.inboxd.account.session.OpenDevice;
import dev.inboxd.tenant.organization.Person;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person of the organization, as whoever looks may see.
 *
 * @param isSelf whether it is who looks
 * @param keys the names of those that the person made; empty where that is not for who looks
 * @param devices where the person is signed in; empty where that is not for who looks
 * @param currentSession the session of who looks; null where there is none
 */
public record PersonCard(
        Person person,
        boolean isSelf,
        List<String> keys,
        List<OpenDevice> devices,
        @Nullable UUID currentSession) {
    public PersonCard {
        keys = List.copyOf(keys);
        devices = List.copyOf(devices);
    }

    /** What stays and what ends with the rights of the person, in sentences. */
    public String stays() {
        String sentence = keys.isEmpty()
                ? ""
                : " Keys created by this person stay: " + String.join(", ", keys) + ". Revoke them under Keys.";
        return " Programs that this person allowed lose their keys." + sentence;
    }

    /** When the person was last seen, as the API writes times; empty: never. */
    public String lastSeen() {
        return person.seenAt() == null ? "" : person.seenAt().toString();
    }

    /** Whether a device is the one of the page. */
    public boolean isHere(OpenDevice device) {
        return device.session().equals(currentSession);
    }

    /** A device in words. */
    public String words(OpenDevice device) {
        String name = device.origin().device();
        String address = device.origin().address();
        return (name == null ? "A program or an unknown browser" : name) + (address == null ? "" : ", " + address);
    }
}
