/** What a request waits for besides the database, while no transaction is open. */
@NullMarked
package dev.inboxd.base.errand;

import org.jspecify.annotations.NullMarked;
