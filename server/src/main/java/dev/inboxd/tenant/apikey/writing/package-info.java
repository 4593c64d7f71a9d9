/** What keys wrote, of whatever kind. */
@NullMarked
package dev.inboxd.tenant.apikey.writing;

import org.jspecify.annotations.NullMarked;
