# Marks this folder as the package that `cimport nardy_core....` means, so that an installed one
# of the same name cannot win. Holds nothing.
