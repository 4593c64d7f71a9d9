/** Tests of domains, against a name server of their own on loopback. */
@org.jspecify.annotations.NullMarked
package dev.inboxd.tenant.domain;
