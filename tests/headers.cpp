// Nothing but the precompiled headers of the tests, which its target carries.
