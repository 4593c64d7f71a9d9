const lists = ["inboxes", "accounts", "apps", "messages", "updates", "threads", "drafts", "events", "webhooks", "polling_webhooks", "deliveries", "api_keys", "entries", "pods", "domains"];

/** The rules that hold for every answer below /v0, whatever it says; returns those that this answer breaks. */
export function breaches(answer, text) {
    const broken = [];
    const rule = (holds, sentence) => holds || broken.push(sentence);
    const header = (name) => answer.headers.get(name) ?? "";
    rule(/^req_[0-9A-HJKMNP-TV-Z]{26}$/.test(header("x-request-id")), `X-Request-Id is "${header("x-request-id")}"`);
    rule(header("cache-control") === "no-store", `Cache-Control is "${header("cache-control")}"`);
    rule(header("x-content-type-options") === "nosniff", `X-Content-Type-Options is "${header("x-content-type-options")}"`);
    const usual = new URL(answer.url).pathname.endsWith("/connect") ? 202 : 200;
    if (answer.ok) rule(answer.status === usual || (answer.status === 204 && text === ""), "success is 200 (connect: 202), or 204 without a body");
    if (answer.status === 401) rule(header("www-authenticate") === 'Bearer realm="inboxd"', "401 without its challenge");
    if (text === "") {
        rule(answer.ok, "an error without a body");
        return broken;
    }
    // The one answer that is no JSON.
    if (answer.ok && header("content-disposition").endsWith('.zone"')) {
        rule(header("content-type") === "text/plain; charset=utf-8", `Content-Type is "${header("content-type")}"`);
        return broken;
    }
    rule(header("content-type").startsWith("application/json"), `Content-Type is "${header("content-type")}"`);
    const body = JSON.parse(text);
    for (const [path, value] of members(body, "")) {
        rule(value !== null, `${path} is null`);
        if (/(_at|timestamp)$/.test(path)) {
            rule(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value), `${path} is "${value}"`);
        }
    }
    if (answer.ok) {
        const list = lists.map((name) => body[name]).find(Array.isArray);
        if ("count" in body) rule(body.count === list?.length, `count is ${body.count} of ${list?.length}`);
    } else if (answer.status !== 413) {
        for (const name of ["name", "code", "message", "docs"]) rule(typeof body[name] === "string", `an error without ${name}`);
        rule(body.docs?.endsWith(`#${body.code}`), `docs is "${body.docs}"`);
        if (body.code === "validation_error") {
            rule(body.errors?.length > 0 && body.errors.every(({ path, message }) => Array.isArray(path) && message),
                `errors is ${JSON.stringify(body.errors)}`);
        }
    }
    return broken;
}

function* members(value, path) {
    yield [path, value];
    if (value === null || typeof value !== "object") return;
    for (const [name, member] of Object.entries(value)) {
        // Headers of mail and metadata of users have names of their own.
        if (name !== "headers" && name !== "metadata") yield* members(member, `${path}.${name}`);
    }
}
