import assert from "node:assert/strict";
import { refused } from "../world.js";

/** What the client gives as octets. */
async function text(answer) {
    return Buffer.from(await (await answer).arrayBuffer()).toString();
}

export async function domains(world, check) {
    const { client, made } = world;
    const { NotFoundError, UnprocessableError, ValidationError } = world.library.AgentMail;
    const name = `${world.name("own")}.example`;

    await check("create names the records to publish", async () => {
        const domain = await client.domains.create({ domain: name.toUpperCase() });
        assert.deepEqual([domain.domainId, domain.domain, domain.status], [name, name, "NOT_STARTED"]);
        assert.deepEqual([domain.feedbackEnabled, domain.subdomainsEnabled, domain.trackingEnabled], [true, false, false]);
        assert.deepEqual(domain.records.map(({ type, name: at, status, priority }) => [type, at, status, priority]), [
            ["MX", name, "MISSING", 10], ["MX", `mail.${name}`, "MISSING", 10], ["TXT", `mail.${name}`, "MISSING", undefined],
            ["TXT", `inboxd._domainkey.${name}`, "MISSING", undefined], ["TXT", `_dmarc.${name}`, "MISSING", undefined]]);
        await refused(client.domains.create({ domain: name }), 409, "already_exists");
        await refused(client.domains.create({ domain: "nonsense" }), ValidationError, "validation_error");
    });
    await check("get, list and the organization's count", async () => {
        assert.equal((await client.domains.get(name)).domainId, name);
        await refused(client.domains.get("nobodys.example"), NotFoundError, "not_found");
        const list = await client.domains.list({ limit: 1 });
        assert.deepEqual([list.count, list.limit, list.domains[0].domainId], [1, 1, name]);
        assert.equal(list.domains[0].records, undefined);
        const organization = await client.organizations.get();
        assert.ok(organization.domainCount >= 1 && organization.inboxCount >= 1);
        assert.equal(organization.domainLimit, undefined);
    });
    await check("update adds the records that go with it, and needs something to do", async () => {
        const changed = await client.domains.update(name, { subdomainsEnabled: true, trackingEnabled: true });
        assert.deepEqual(changed.records.slice(5).map(({ type, name: at }) => [type, at]), [["MX", `*.${name}`], ["CNAME", `link.${name}`]]);
        assert.equal((await client.domains.update(name, { subdomainsEnabled: false, trackingEnabled: false })).records.length, 5);
        await refused(client.domains.update(name, {}), 400, "validation_error");
    });
    await check("the zone file is what a name server reads", async () => {
        const file = await text(client.domains.getZoneFile(name));
        assert.match(file, new RegExp(`^mail\\.${name}\\.\\tIN\\tTXT\\t"v=spf1 include:\\S+ -all"$`, "m"));
        assert.match(file, /"v=DKIM1; k=rsa; p=[^"]{237}" "[^"]+"$/m);
    });
    await check("verify looks each record up, and says what is missing", async () => {
        await client.domains.verify(name);
        const domain = await client.domains.get(name);
        assert.deepEqual([domain.status, domain.reason], ["PENDING", "dns_records_missing"]);
        await refused(client.domains.verify("nobodys.example"), NotFoundError, "not_found");
    });
    await check("published records are seen, and wait for their confirmation", async () => {
        const { records } = await client.domains.get(name);
        world.server.dns.publish(records);
        await client.domains.verify(name);
        const domain = await client.domains.get(name);
        assert.deepEqual(domain.records.map(({ status }) => status), ["VALID", "VALID", "VALID", "VALID", "VALID"]);
        assert.deepEqual([domain.status, domain.reason], ["VERIFYING", "confirmation_pending"]);
        await refused(client.inboxes.create({ username: "ann", domain: name }), 403, "domain_not_verified");
        await refused(client.inboxes.create({ username: "ann", domain: "nobodys.example" }), 404, "not_found");
    });
    await check("the setup link says that there is none, and whose mail it is", async () => {
        assert.equal((await client.domains.getSetupLink(name)).supported, false);
        const busy = `${world.name("busy")}.example`;
        world.server.dns.publish([{ type: "MX", name: busy, value: "aspmx.l.google.com", priority: 1 }]);
        await refused(client.domains.create({ domain: busy }), UnprocessableError, "unprocessable");
        const taken = await client.domains.create({ domain: busy, allowConflictingProvider: true });
        assert.equal((await client.domains.getSetupLink(busy)).conflictingProvider, "Google Workspace");
        await client.domains.delete(taken.domainId);
    });
    await check("a pod's domains are the pod's", async () => {
        const { podId } = await client.pods.create({ name: world.name("domains") });
        const below = client.pods.domains;
        const domain = await below.create(podId, { domain: `${world.name("below")}.example` });
        assert.equal(domain.podId, podId);
        assert.equal((await below.get(podId, domain.domainId)).domainId, domain.domainId);
        assert.deepEqual((await below.list(podId)).domains.map(({ domainId }) => domainId), [domain.domainId]);
        assert.equal((await below.update(podId, domain.domainId, { feedbackEnabled: false })).feedbackEnabled, false);
        await below.verify(podId, domain.domainId);
        assert.match(await text(below.getZoneFile(podId, domain.domainId)), /^; DNS records for /);
        await refused(below.get(podId, name), NotFoundError, "not_found");
        await below.delete(podId, domain.domainId);
        await refused(below.get(podId, domain.domainId), NotFoundError, "not_found");
        await client.pods.delete(podId);
    });
    await check("delete is for good", async () => {
        await client.domains.delete(name);
        await refused(client.domains.get(name), NotFoundError, "not_found");
        await refused(client.domains.delete(name), NotFoundError, "not_found");
    });
    await check("plain HTTP: labs are on from the start", async () => {
        const labs = await world.http("GET", "/v0/organizations/labs");
        assert.deepEqual([labs.status, labs.json.enabled, labs.json.available], [200, true, true]);
        assert.deepEqual((await world.http("POST", "/v0/organizations/labs")).json, labs.json);
    });
}
