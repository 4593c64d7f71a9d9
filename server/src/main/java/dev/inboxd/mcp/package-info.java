/**
 * The Model Context Protocol (MCP) at {@code /mcp}: tools for agents that call the routes of the interface, in the
 * revisions of 2026-07-28 and before.
 */
@NullMarked
package dev.inboxd.mcp;

import org.jspecify.annotations.NullMarked;
