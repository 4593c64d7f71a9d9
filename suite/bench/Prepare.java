import dev.inboxd.base.database.Database;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/**
 * Makes the organizations and inboxes of the benchmark with the product's own classes, and prints one line for each
 * organization: its key, after the settings of the product's database sessions. The first has the inbox "one"; a
 * hundred more have ten inboxes each, named as smtp-source numbers its recipients: "1inbox" to "1000inbox", neighbours
 * in different organizations.
 */
final class Prepare {
    private static final int ORGANIZATIONS = 100;
    private static final int INBOXES = 1_000;

    private final Database database;
    private final Organizations organizations;
    private final String domain;

    private Prepare(Database database, String domain) {
        this.database = database;
        this.organizations = new Organizations(database, InstantSource.system());
        this.domain = domain;
    }

    /** Arguments: JDBC URL, role, password, domain. */
    public static void main(String[] arguments) {
        Database.Location location = new Database.Location(arguments[0], arguments[1], arguments[2], 1);
        try (Database database = new Database(location, null)) {
            database.read(tx -> tx.sql(
                                    "select name || '=' || setting as setting from pg_settings where source = 'client'"
                                            + " and name like any (array['plan%', 'enable%', 'jit',"
                                            + " 'synchronous_commit'])")
                            .list(row -> row.text("setting")))
                    .forEach(setting -> System.out.println("setting " + setting));
            Prepare prepare = new Prepare(database, arguments[3]);
            prepare.organization(-1);
            for (int i = 0; i < ORGANIZATIONS; i++) {
                prepare.organization(i);
            }
        }
    }

    private void organization(int index) {
        String key = database.writeGlobal(tx -> {
            UUID id = Uuid7.next();
            Instant now = Instant.now();
            UUID pod = organizations
                    .create(tx, id, Organization.Type.CONSOLE, null)
                    .pod();
            if (index < 0) {
                Inboxes.open(tx, id, pod, "one@" + domain, now);
            } else {
                for (int i = index; i < INBOXES; i += ORGANIZATIONS) {
                    Inboxes.open(tx, id, pod, (i + 1) + "inbox@" + domain, now);
                }
            }
            ApiKeys.KeySpec order =
                    new ApiKeys.KeySpec("Benchmark", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false);
            return ApiKeys.issue(tx, id, order, now).secret();
        });
        System.out.println(key);
    }
}
