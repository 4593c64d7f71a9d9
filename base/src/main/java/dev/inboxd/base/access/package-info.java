/**
 * Access control: API keys, permissions, scopes (identity.md §2, §5). A route names a permission, the key store turns
 * a bearer key into a {@link dev.inboxd.base.access.Caller}, and the caller's view narrows every statement.
 */
@NullMarked
package dev.inboxd.base.access;

import org.jspecify.annotations.NullMarked;
