import { createServer } from "node:http";

/**
 * Stands where the model of an example stands (the Messages API): it chooses the tools that it is offered one after
 * another, and fills in their required arguments by their schemas.
 */
export class Model {
    asked = [];
    #turn = 0;

    async start() {
        this.server = createServer(async (incoming, outgoing) => {
            const request = JSON.parse(Buffer.concat(await incoming.toArray()));
            this.asked.push(request);
            const content = this.#answer(request);
            outgoing.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({
                id: `msg_${this.asked.length}`, type: "message", role: "assistant", model: request.model, content,
                stop_reason: content[0].type === "tool_use" ? "tool_use" : "end_turn", stop_sequence: null,
                usage: { input_tokens: 1, output_tokens: 1 } }));
        });
        await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${this.server.address().port}`;
    }

    #answer({ tools = [], messages }) {
        const usable = tools.filter((tool) => tool.input_schema);
        const last = messages.at(-1).content;
        const isResult = Array.isArray(last) && last.some((part) => part.type === "tool_result");
        if (usable.length === 0 || isResult) return [{ type: "text", text: "Thank you, that is noted." }];
        const tool = usable[this.#turn++ % usable.length];
        return [{ type: "tool_use", id: `toolu_${this.asked.length}`, name: tool.name, input: filled(tool.input_schema, "value") }];
    }

    stop() {
        this.server.closeAllConnections();
        this.server.close();
    }
}

function filled(schema, name) {
    if (schema.enum) return schema.enum[0];
    switch ([schema.type].flat()[0]) {
        case "object":
            return Object.fromEntries((schema.required ?? []).map((each) => [each, filled(schema.properties?.[each] ?? {}, each)]));
        case "array": return [filled(schema.items ?? {}, name.replace(/s$/, ""))];
        case "integer": case "number": return 1;
        case "boolean": return true;
        default: return word(name);
    }
}

function word(name) {
    if (/e-?mail|recipient|attendee|^to$/i.test(name)) return "jo@elsewhere.example";
    if (/date|deadline/i.test(name)) return "2027-03-01";
    if (/time|start|end|when/i.test(name)) return "2027-03-01T10:00:00Z";
    if (/url|link/i.test(name)) return "https://elsewhere.example/";
    return `A ${name.replaceAll("_", " ")}`;
}
