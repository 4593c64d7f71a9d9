/**
 * Answers held against the description that the server gives of itself: an object has the members that are described
 * and no others. What consists of several parts is one object; maps whose names callers choose stay open.
 */
export class Description {
    #api;
    #paths;

    static async of(url) {
        const answer = await fetch(`${url}/openapi.json`);
        if (!answer.ok) throw new Error(`/openapi.json is ${answer.status}`);
        return new Description(await answer.json());
    }

    constructor(api) {
        this.#api = api;
        this.#paths = Object.entries(api.paths).map(([path, item]) => ({ segments: path.split("/"), item }));
    }

    /** What of a JSON answer is not described. */
    *faults(method, path, status, body) {
        const operation = this.#operation(method, path);
        if (!operation) {
            if (status < 400) yield "the call is not described";
            return;
        }
        const response = this.#resolved(operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`]);
        if (!response) yield `status ${status} is not described`;
        const schema = response?.content?.["application/json"]?.schema;
        if (schema && body !== undefined) yield* this.#misfits(schema, body, "");
        const codes = [...this.#api["x-error-codes"], ...operation["x-error-codes"]];
        if (status >= 400 && body?.docs && !codes.includes(body.code)) yield `the code ${body.code} is not described`;
    }

    #operation(method, path) {
        const given = path.split("/");
        const fixed = ({ segments }) => segments.filter((segment) => !segment.startsWith("{")).length;
        return this.#paths
            .filter(({ segments }) => segments.length === given.length
                && segments.every((segment, i) => segment.startsWith("{") || segment === given[i]))
            .sort((one, other) => fixed(other) - fixed(one))[0]?.item[method.toLowerCase()];
    }

    #resolved(schema) {
        return schema?.$ref ? schema.$ref.slice(2).split("/").reduce((at, step) => at[step], this.#api) : schema;
    }

    /** A schema without allOf: the members of all its parts are its own, and what is sent besides (x-also). */
    #flat(schema) {
        const whole = this.#resolved(schema);
        if (!whole.allOf) return whole;
        const parts = whole.allOf.map((part) => this.#flat(part));
        return { type: "object", properties: Object.assign({}, whole["x-also"], ...parts.map((part) => part.properties)),
            required: parts.flatMap((part) => part.required ?? []) };
    }

    *#misfits(schema, value, at) {
        const whole = this.#flat(schema);
        const several = whole.oneOf ?? whole.anyOf;
        if (several) {
            if (!several.some((one) => [...this.#misfits(one, value, at)].length === 0)) yield `${at} has none of its forms`;
            return;
        }
        const types = [whole.type ?? []].flat();
        if (types.length && !types.some((type) => isA(type, value))) yield `${at} is no ${types.join(" or ")}`;
        if (whole.enum && !whole.enum.includes(value)) yield `${at} is "${value}"`;
        if ("const" in whole && whole.const !== value) yield `${at} is "${value}"`;
        if (typeof value === "string" && [...value].length > (whole.maxLength ?? Infinity)) yield `${at} is too long`;
        if (Array.isArray(value)) {
            if (value.length > (whole.maxItems ?? Infinity)) yield `${at} has ${value.length} items`;
            for (const [i, item] of value.entries()) yield* this.#misfits(whole.items ?? {}, item, `${at}.${i}`);
        } else if (value !== null && typeof value === "object") {
            for (const name of whole.required ?? []) if (!(name in value)) yield `${at}.${name} is missing`;
            for (const [name, member] of Object.entries(value)) {
                const form = whole.properties?.[name] ?? whole.additionalProperties ?? !whole.properties;
                if (form === false) yield `${at}.${name} is not described`;
                else if (form !== true) yield* this.#misfits(form, member, `${at}.${name}`);
            }
        }
    }
}

function isA(type, value) {
    return type === "array" ? Array.isArray(value)
        : type === "null" ? value === null
        : type === "integer" ? Number.isInteger(value)
        : type === "object" ? value !== null && typeof value === "object" && !Array.isArray(value)
        : typeof value === type;
}
