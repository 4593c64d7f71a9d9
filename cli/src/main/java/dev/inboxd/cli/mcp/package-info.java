/** {@code inboxd mcp}: the Model Context Protocol on standard input and output (mcp.md §1). */
@NullMarked
package dev.inboxd.cli.mcp;

import org.jspecify.annotations.NullMarked;
