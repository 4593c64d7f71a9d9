/**
 * Who may do what: API keys, permissions, scopes (identity.md §2, §5). The routes name a permission, the key
 * store turns a bearer key into a {@link dev.inboxd.platform.access.Caller}, and its view narrows every statement.
 */
@NullMarked
package dev.inboxd.platform.access;

import org.jspecify.annotations.NullMarked;
