/** What tools take and give: the members of their objects, as JSON Schema and as values (mcp.md §2). */
@NullMarked
package dev.inboxd.mcp.schema;

import org.jspecify.annotations.NullMarked;
