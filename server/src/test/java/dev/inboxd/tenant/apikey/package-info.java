/** Tests of API keys. */
@NullMarked
package dev.inboxd.tenant.apikey;

import org.jspecify.annotations.NullMarked;
