/** What filters say of a message: Rspamd, clamd, the spam classifier, and the reputation of networks. */
@NullMarked
package dev.inboxd.inbound.filter;

import org.jspecify.annotations.NullMarked;
