const { INBOXD_URL, INBOXD_KEY } = process.env;

/** A call of the API; an answer that is no success is thrown. */
export async function call(method, path, body, key = INBOXD_KEY) {
    const answer = await ask(method, path, body, key);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
}

/** The same with its status, whatever it is. */
export async function ask(method, path, body, key = INBOXD_KEY) {
    const answer = await fetch(INBOXD_URL + path, {
        method,
        headers: { ...(key && { authorization: `Bearer ${key}` }), "content-type": "application/json" },
        body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

/** Moves the clock, which stops at whatever is due on the way. */
export const advance = (time) => call("POST", "/sandbox/clock", { advance: time });

/** The time of the server. */
export const now = async () => new Date((await call("GET", "/sandbox/clock")).now);

/** The newest letter of the service to somebody outside. */
export async function letter(human) {
    await advance(1); // answers when what is due has left
    const { messages } = await call("GET", `/sandbox/messages?to=${encodeURIComponent(human)}`);
    return messages[0];
}
