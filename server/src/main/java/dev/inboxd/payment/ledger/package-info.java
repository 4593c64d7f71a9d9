/** The rows of payments, of the authorizations that were used, and of the accounts that pay. */
@NullMarked
package dev.inboxd.payment.ledger;

import org.jspecify.annotations.NullMarked;
