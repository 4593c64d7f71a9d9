/** What is counted and measured of payments, over all organizations. */
@NullMarked
package dev.inboxd.payment.metric;

import org.jspecify.annotations.NullMarked;
