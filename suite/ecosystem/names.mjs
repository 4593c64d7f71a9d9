// Loaded before a program whose addresses cannot be set: connections to the public service's names go to the front.
import { Socket } from "node:net";

const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...given) {
    const options = Array.isArray(given[0]) ? given[0][0] : given[0];
    if (/(^|\.)agentmail\.to$/.test(options?.host ?? "")) {
        Object.assign(options, { host: "127.0.0.1", port: Number(process.env.FRONT_PORT) });
    }
    return connect.apply(this, given);
};
