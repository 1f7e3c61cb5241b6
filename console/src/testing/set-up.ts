/**
 * Runs before every spec. Angular's libraries are published half compiled and are finished by the
 * compiler when they are loaded; without it the first import of a form or a router throws.
 */
import '@angular/compiler';
