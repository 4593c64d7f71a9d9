/**
 * API keys: bearer secrets, stored as hashes, that act for an organization, a pod or an inbox (identity.md §2, §8).
 */
@NullMarked
package dev.inboxd.tenant.apikey;

import org.jspecify.annotations.NullMarked;
