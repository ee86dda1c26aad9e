use super::*;

#[test]
fn columns_have_the_letters_of_a_spreadsheet() {
    for (index, letters) in
        [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
    {
        assert_eq!(letter(index), letters);
    }
}
