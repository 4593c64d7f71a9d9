/** What the operator sees and decides of the payments of all organizations. */
@NullMarked
package dev.inboxd.payment.operator;

import org.jspecify.annotations.NullMarked;
