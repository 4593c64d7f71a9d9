import Module, { createRequire } from "node:module";

/** The mode in which the client refuses an answer whose shape is not exactly the published one. */
export const strict = "strict";

const require = createRequire(import.meta.url);

/**
 * The public client. As it comes it passes over answers of a wrong shape: every parse is called with
 * `skipValidation: true`. In the strict mode that one option reads `false` while the package is loaded; nothing else is
 * changed, and no file.
 */
export function loadClient(mode) {
    const isClient = (file) => file.includes("/node_modules/agentmail/");
    Object.keys(require.cache).filter(isClient).forEach((file) => delete require.cache[file]);
    const compile = Module.prototype._compile;
    Module.prototype._compile = function (source, file, ...rest) {
        const text = mode === strict && isClient(file)
            ? source.replaceAll("skipValidation: true", "skipValidation: false") : source;
        return compile.call(this, text, file, ...rest);
    };
    try {
        return { ...require("agentmail"), serialization: require("agentmail/serialization") };
    } finally {
        Module.prototype._compile = compile;
    }
}
