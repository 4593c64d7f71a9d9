/**
 * Domains over HTTP, with their zone as a file and the links to set it up (identity.md §11). Only routes: the rules
 * are in the package of domains.
 */
@NullMarked
package dev.inboxd.tenant.domain.http;

import org.jspecify.annotations.NullMarked;
