// Runs beside the toolkit: calls the tool of each line of standard input, and prints its result, held against the
// schema that the toolkit gives for it.
import { AgentMailClient } from "agentmail";
import { AgentMailToolkit as Bare } from "agentmail-toolkit";
import { AgentMailToolkit as AiSdk } from "agentmail-toolkit/ai-sdk";
import { AgentMailToolkit as Mcp } from "agentmail-toolkit/mcp";
import { createInterface } from "node:readline";

const client = new AgentMailClient({ baseUrl: process.env.INBOXD_URL });
const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));

const bindings: Record<string, (name: string, args: any) => Promise<unknown>> = {
    bare: async (name, args) => {
        const [tool] = new Bare(client).getTools([name]) as any[];
        return tool.outputSchema.parse(plain(await tool.func(tool.paramsSchema.parse(args))));
    },
    "ai-sdk": async (name, args) => {
        const tool = (new AiSdk(client).getTools() as any)[name];
        return tool.outputSchema.parse(plain(await tool.execute(tool.inputSchema.parse(args), {})));
    },
    mcp: async (name, args) => {
        const { isError, content, structuredContent } = await new Mcp(client).getTools([name])[0].callback(args, {} as any) as any;
        if (isError) throw new Error(content[0].text);
        return structuredContent;
    },
};
const call = bindings[process.argv[2]];

console.log(JSON.stringify(new Bare(client).getTools().map((tool: any) => tool.name)));
for await (const line of createInterface({ input: process.stdin })) {
    const { name, args } = JSON.parse(line);
    try {
        console.log(JSON.stringify({ result: await call(name, args) }));
    } catch (fault: any) {
        console.log(JSON.stringify({ fault: String(fault?.message ?? fault) }));
    }
}
