package dev.inboxd.cli;

import dev.inboxd.account.session.SessionKeys;
import dev.inboxd.app.oidc.ProviderKeys;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.notify.webhook.WebhookReseal;
import dev.inboxd.server.Installation;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.tenant.organization.Organization;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** {@code inboxd secrets}: what is sealed under the master key. */
public final class SecretsCommands {
    private SecretsCommands() {}

    public static Subcommand secrets() {
        return OperatorCommands.command(
                "secrets",
                "Seals stored secrets with a new master key.",
                List.of(OperatorCommand.of(
                        "reseal",
                        "Seals every stored secret with the first key of INBOXD_SECRET_KEY, and counts them by key.",
                        (access, _) -> reseal(access).json())));
    }

    /** A transaction for each organization, so that none waits long; what is done stays done. */
    static Counts reseal(OperatorContext access) {
        List<Reseal> parts = new ArrayList<>();
        parts.add(access.database.writeGlobal(tx -> {
            Reseal part = access.vault.reseal();
            SigningKeys.reseal(tx, part);
            SessionKeys.reseal(tx, part);
            ProviderKeys.reseal(tx, part);
            return part;
        }));
        for (Organization organization : access.organizations.all()) {
            View all = View.of(organization.id());
            parts.add(access.database.write(organization.id(), tx -> {
                Reseal part = access.vault.reseal();
                DomainKeys.reseal(tx, all, part);
                WebhookReseal.run(tx, all, part);
                return part;
            }));
        }
        // The check value last: until everything is sealed with the new key, a start needs an older one too.
        parts.add(access.database.writeGlobal(tx -> {
            Reseal part = access.vault.reseal();
            Installation.reseal(tx, part);
            return part;
        }));
        return counts(parts);
    }

    private static Counts counts(List<Reseal> parts) {
        int[] before = new int[parts.getFirst().counts().size()];
        for (Reseal part : parts) {
            for (int i = 0; i < before.length; i++) {
                before[i] += part.counts().get(i);
            }
        }
        List<KeyCount> keys = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
            keys.add(
                    new KeyCount(i + 1, before[i], i == 0 ? IntStream.of(before).sum() : 0));
        }
        return new Counts(parts.stream().mapToInt(Reseal::unopened).sum(), keys);
    }

    /**
     * What one key seals.
     *
     * @param place in INBOXD_SECRET_KEY, from 1
     * @param before how many secrets, before the run
     * @param after how many after it
     */
    record KeyCount(int place, int before, int after) {}

    /**
     * The result.
     *
     * @param unopened how many secrets no key opens, and which are left as they are
     */
    record Counts(int unopened, List<KeyCount> keys) {
        JsonObject json() {
            return JsonObject.of("opened_by_no_key", unopened)
                    .with(
                            "keys",
                            keys.stream()
                                    .map(key -> JsonObject.of("key", key.place)
                                            .with("sealed_before", key.before)
                                            .with("sealed_now", key.after))
                                    .toList());
        }
    }
}
